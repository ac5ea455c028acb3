"""Quality of service, measured once a minute and derived from the participant and the time."""

import random
from datetime import datetime, timedelta
from typing import Any

from portal.sandbox.history.roster import Participant
from portal.sandbox.identifiers import timestamp
from portal.sandbox.models import Trait

_SIZES = ("1280*720", "640*360", "320*180")


def latest_sample(one: Participant, now: datetime) -> dict[str, Any]:
    """Returns the last measurement of a stay.

    Participants on a bad network have spells of some minutes with losses and delay.
    """
    minute = one.seconds(now) // 60
    chance = random.Random(f"{one.id}:{minute}")  # noqa: S311
    spell = random.Random(f"{one.id}:{minute // 4}").random() < 0.75  # noqa: S311
    bad = bool(one.traits & Trait.BAD_NETWORK) and spell
    data: dict[str, Any] = {
        "date_time": timestamp(one.joined + timedelta(minutes=minute)),
        "audio_input": _audio(chance, bad),
        "audio_output": _audio(chance, bad),
    }
    if one.traits & Trait.PHONE:
        return data
    if one.traits & Trait.VIDEO:
        data["video_output"] = _video(chance, bad)
    if one.instance.traits & Trait.VIDEO:
        data["video_input"] = _video(chance, bad)
    if one.traits & Trait.SHARED:
        data["as_output"] = _screen(chance, bad)
    elif one.instance.traits & Trait.SHARED:
        data["as_input"] = _screen(chance, bad)
    data["cpu_usage"] = _processor(chance)
    return data


def _audio(chance: random.Random, bad: bool) -> dict[str, str]:
    return _measured(chance, bad, chance.randint(24, 60))


def _video(chance: random.Random, bad: bool) -> dict[str, str]:
    size = _SIZES[2] if bad else chance.choice(_SIZES[:2])
    frames = chance.randint(4, 12) if bad else chance.randint(22, 30)
    kilobits = chance.randint(60, 180) if bad else chance.randint(400, 1400)
    return {**_measured(chance, bad, kilobits), "resolution": size, "frame_rate": f"{frames} fps"}


def _screen(chance: random.Random, bad: bool) -> dict[str, str]:
    frames = chance.randint(1, 3) if bad else chance.randint(4, 10)
    data = _measured(chance, bad, chance.randint(80, 600))
    return {**data, "resolution": "1920*1080", "frame_rate": f"{frames} fps"}


def _measured(chance: random.Random, bad: bool, kilobits: int) -> dict[str, str]:
    loss = chance.uniform(4, 18) if bad else chance.uniform(0, 0.6)
    return {
        "bitrate": f"{kilobits} kbps",
        "latency": f"{chance.randint(280, 900) if bad else chance.randint(15, 140)} ms",
        "jitter": f"{chance.randint(40, 160) if bad else chance.randint(1, 14)} ms",
        "avg_loss": f"{loss:.1f}%",
        "max_loss": f"{loss * chance.uniform(1.2, 2.6):.1f}%",
    }


def _processor(chance: random.Random) -> dict[str, str]:
    least = chance.randint(1, 6)
    average = least + chance.randint(1, 12)
    most = average + chance.randint(1, 20)
    return {
        "conf_min_cpu_usage": f"{least}%",
        "conf_avg_cpu_usage": f"{average}%",
        "conf_max_cpu_usage": f"{most}%",
        "system_max_cpu_usage": f"{most + chance.randint(2, 40)}%",
    }
