/** How far the clocks of instances may differ. A later time was recorded by a clock that was ahead and has been set back. */
export const clocksApartMs = 10_000
