import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { plainAddress } from '@batti/kit/address'

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** Parses `192.0.2.1` or `192.0.2.0/24`; null for anything else. */
function subnetOf(entry: string): { address: string; bits: number } | null {
  const [address = '', bits, ...more] = entry.split('/')
  if (!(isIPv4(address) || isIPv6(address)) || more.length > 0) return null
  const most = isIPv6(address) ? 128 : 32
  if (bits === undefined) return { address, bits: most }
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { address, bits: Number(bits) } : null
}

export const isSubnet = (entry: string): boolean => subnetOf(entry) !== null

/** The networks that Express knows by name in its proxy setting. */
export const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
}

/** Whether Express accepts the entry as a proxy: it refuses a whole address family, and accepts a network with a mask. */
export function isProxyEntry(entry: string): boolean {
  const [address = '', mask = ''] = entry.split('/')
  if (Object.hasOwn(namedNetworks, entry) || (isIPv4(address) && isIPv4(mask))) return true
  return (subnetOf(entry)?.bits ?? 0) > 0
}

/** Returns whether an address is in a list of addresses and networks; other entries are ignored. */
export function createAddressList(entries: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const subnet = subnetOf(entry)
    if (subnet !== null) list.addSubnet(subnet.address, subnet.bits, familyOf(subnet.address))
  }
  return (ip) => {
    const address = plainAddress(ip)
    return (isIPv4(address) || isIPv6(address)) && list.check(address, familyOf(address))
  }
}
