"""Figures as Prometheus reads them."""

from prometheus_client.parser import text_string_to_metric_families

from tests.support import plain_http

TOKEN = "token-of-prometheus-" * 2
SIGNED = {"Authorization": f"Bearer {TOKEN}"}


class Figures:
    """The figures in an answer of `/metrics`: `figures("switchboard_jobs", state="running")`."""

    def __init__(self, text: str) -> None:
        families = [*text_string_to_metric_families(text)]
        self.families = {family.name for family in families}
        self.samples = [sample for family in families for sample in family.samples]

    def __call__(self, name: str, **labels: str) -> float:
        """The sum of what has these labels."""
        return sum(
            sample.value
            for sample in self.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    def has(self, name: str, **labels: str) -> bool:
        return any(
            sample.name == name and labels.items() <= sample.labels.items()
            for sample in self.samples
        )


def scraped(url: str) -> Figures:
    answer = plain_http.get(f"{url}/metrics", headers=SIGNED, timeout=30)
    assert answer.status_code == 200, answer.text
    return Figures(answer.text)
