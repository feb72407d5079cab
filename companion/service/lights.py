"""The LED strip that the settings name, and the check of it by `companion doctor`."""

import json
from collections.abc import Callable

from companion.service.health import Finding, Verdict
from companion.settings import Settings
from hardware.errors import StripNotReached
from hardware.strip import Strip, asked
from sentence import Sentence, verbatim


def strip_of(settings: Settings, report: Callable[[Sentence], None]) -> Strip | None:
    """The strip, started; None without one in the settings. `report` is called from its thread."""
    lights = settings.lights
    if not lights.url:
        return None
    return Strip(lights.url, lights.leds, lights.brightness, lights.south_first, report)


def lights_findings(settings: Settings) -> list[Finding]:
    """Whether the strip's controller answers, and has as many LEDs as the settings say; [] without one."""
    lights = settings.lights
    if not lights.url:
        return []
    try:
        answer = asked(lights.url)
    except StripNotReached as error:
        remedy = "Is the controller on, and in this network? lights.url names it."
        return [_finding(Verdict.WARN, str(error), remedy)]
    try:
        told = json.loads(answer)
        version, leds = str(told["ver"]), int(told["leds"]["count"])
    except (ValueError, TypeError, KeyError):
        text = f"{lights.url} answers, but does not describe itself as WLED does."
        return [
            _finding(Verdict.UNKNOWN, text, "Look whether it shows the lights that docs/LIGHTS.md lists.")
        ]
    text = f"WLED {version} with {leds} LEDs answers at {lights.url}."
    if leds < lights.leds:
        text = f"{text} lights.leds is {lights.leds}."
        return [_finding(Verdict.WARN, text, "Set lights.leds, or the number of LEDs in WLED.")]
    return [_finding(Verdict.GOOD, text)]


def _finding(verdict: Verdict, text: str, remedy: str = "") -> Finding:
    return Finding("lights", verdict, verbatim(text), verbatim(remedy))
