"""The settings of lamps and buttons as the wiring that `hardware` understands."""

from companion.settings import Settings
from hardware.wiring import BUTTONS, LAMPS, Wiring


def wiring_of(settings: Settings) -> Wiring:
    """The wiring; pin 0 stands for a lamp or button that is not there. BadWiring from `hardware`."""
    lamps, buttons = settings.lamps, settings.buttons
    return Wiring(
        lamps={name: getattr(lamps, name) for name in LAMPS if getattr(lamps, name)},
        buttons={name: getattr(buttons, name) for name in BUTTONS if getattr(buttons, name)},
        buzzer=lamps.buzzer or None,
        lamps_active_high=lamps.active_high,
        buttons_pull_up=buttons.pull_up,
        bounce_s=buttons.bounce_s,
        hold_s=buttons.hold_s,
        blink_s=lamps.blink_s,
    )
