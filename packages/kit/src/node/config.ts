/** Returns the folder where the user typed the command, for relative paths; npm itself changes to the repository's root. */
export const calledFrom = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env['INIT_CWD'] === undefined || env['INIT_CWD'] === '' ? process.cwd() : env['INIT_CWD']

/** Returns the variables that are set. Empty and blank ones count as not set. */
export function givenIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value.trim() !== '') given[name] = value
  return given
}
