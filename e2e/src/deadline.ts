/**
 * The time limit of a hanging test, generous because a loaded machine renders slowly. Tests of speed have limits of
 * their own.
 */
export const patientMs = 60_000
