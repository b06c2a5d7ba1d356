/** Returns the folder where the user typed the command, for relative paths; npm itself changes to the repository's root. */
export const calledFrom = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env['INIT_CWD'] === undefined || env['INIT_CWD'] === '' ? process.cwd() : env['INIT_CWD']

/** Returns the variables that are set. Empty and blank ones count as not set. */
export function givenIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value.trim() !== '') given[name] = value
  return given
}

/** What a server can listen on: a host without a port, IPv6 without brackets. */
export const listenHostRule = {
  pattern: /^(?:[^\s:/@[\]]+|(?=.*:.*:)[\da-f:.]+(?:%\w+)?)$/i,
  message: 'must be a name or an address alone, for example 127.0.0.1 or ::'
} as const
