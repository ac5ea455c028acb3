"""Quality of service: what was measured of each participant's connection (spec 2.10)."""

from pydantic import Field

from portal.contract.model import Model
from portal.contract.paging import QualityPage
from portal.contract.times import Timestamp


class ParticipantEquipment(Model):
    """A participant with machine, place and time (spec 2.10)."""

    user_id: str = Field("", title="User ID")
    user_name: str = Field("", title="Name")
    device: str = Field("", title="Device")
    ip_address: str = Field("", title="IP address")
    location: str = Field("", title="Location")
    pc_name: str = Field("", title="Computer")
    domain: str = Field("", title="Domain")
    mac_addr: str = Field("", title="MAC address")
    harddisk_id: str = Field("", title="Hard disk ID")
    version: str = Field("", title="Client version")
    join_time: Timestamp | None = Field(None, title="Joined")
    leave_time: Timestamp | None = Field(None, title="Left")


class QualityOfAudio(Model):
    """Measured values with their units, as the service words them (spec: QOSAudio)."""

    bitrate: str = Field("", title="Bitrate")
    latency: str = Field("", title="Latency")
    jitter: str = Field("", title="Jitter")
    avg_loss: str = Field("", title="Average loss")
    max_loss: str = Field("", title="Greatest loss")


class QualityOfVideo(QualityOfAudio):
    """Measurements of a picture (spec: QOSVideo)."""

    resolution: str = Field("", title="Resolution")
    frame_rate: str = Field("", title="Frame rate")


class ProcessorUse(Model):
    conf_min_cpu_usage: str = Field("", title="Client, least")
    conf_avg_cpu_usage: str = Field("", title="Client, average")
    conf_max_cpu_usage: str = Field("", title="Client, most")
    system_max_cpu_usage: str = Field("", title="Computer, most")


class QualitySample(Model):
    """The measurements of one moment."""

    date_time: Timestamp | None = Field(None, title="Measured")
    audio_input: QualityOfAudio | None = Field(None, title="Audio received")
    audio_output: QualityOfAudio | None = Field(None, title="Audio sent")
    video_input: QualityOfVideo | None = Field(None, title="Video received")
    video_output: QualityOfVideo | None = Field(None, title="Video sent")
    as_input: QualityOfVideo | None = Field(None, title="Shared screen received")
    as_output: QualityOfVideo | None = Field(None, title="Shared screen sent")
    cpu_usage: ProcessorUse | None = Field(None, title="Processor use")


class ParticipantQuality(ParticipantEquipment):
    """The quality of a participant's connection (spec: QOSParticipant)."""

    user_qos: list[QualitySample] | QualitySample | None = Field(None, title="Samples")

    @property
    def samples(self) -> list[QualitySample]:
        """All that was measured; a service may report one sample or a list of them."""
        data = self.user_qos or []
        return data if isinstance(data, list) else [data]


class ParticipantQualityPage(QualityPage):
    participants: list[ParticipantQuality] = Field(title="Participants")
