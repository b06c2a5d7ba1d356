/** Explains in one sentence for the user why the server did not start. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `The address is already in use by another program: ${error.message}`
  if (code === 'EACCES' || code === 'EPERM') return `No permission: ${error.message}`
  return error.message
}
