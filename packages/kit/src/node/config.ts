/** Where a person typed a command of ours; npm itself goes to the root of the repository. Relative paths are seen from there. */
export const calledFrom = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env['INIT_CWD'] === undefined || env['INIT_CWD'] === '' ? process.cwd() : env['INIT_CWD']
