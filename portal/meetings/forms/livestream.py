"""Forms of a live stream: where it goes, and what it shows."""

from portal.contract.meetings import LiveStreamDisplay, MeetingLiveStream
from portal.ui.forms import contract_form

PlaceForm = contract_form(MeetingLiveStream, fields=("stream_url", "stream_key", "page_url"))
DisplayForm = contract_form(LiveStreamDisplay, fields=("display_name", "active_speaker_name"))
