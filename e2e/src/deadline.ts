/** A loaded machine is slow to draw, and is no fault: this ends a test that hangs. What must be at once says so itself. */
export const patientMs = 60_000
