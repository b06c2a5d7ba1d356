const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns an access token like the server's, with an invalid signature. Times are in milliseconds. */
export function accessToken(claims: {
  sub?: string
  role?: string
  iatMs?: number
  expMs: number
  name?: string
}): string {
  const { sub = 'aaaaaaaaaaaaaaaaaaaaaaaa', role = 'user', iatMs, expMs, name } = claims
  const payload = { sub, role, exp: expMs / 1000, ...(iatMs !== undefined && { iat: iatMs / 1000 }), name }
  return `${encode({ alg: 'HS256' })}.${encode(payload)}.c2ln`
}
