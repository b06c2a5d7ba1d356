/** Where a person typed a command of ours; npm itself goes to the root of the repository. Relative paths are seen from there. */
export const calledFrom = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env['INIT_CWD'] === undefined || env['INIT_CWD'] === '' ? process.cwd() : env['INIT_CWD']

/** What the environment sets: what is empty, or blank, counts as not set. */
export function givenIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value.trim() !== '') given[name] = value
  return given
}
