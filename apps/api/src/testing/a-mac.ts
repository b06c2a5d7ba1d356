let macs = 0
/** Returns a MAC that no other board of this process has. */
export const aMac = (): string => {
  macs += 1
  return `34:98:7A:00:${(macs >> 8).toString(16).padStart(2, '0')}:${(macs & 255).toString(16).padStart(2, '0')}`.toUpperCase()
}
