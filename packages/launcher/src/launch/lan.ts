import type { NetworkInterfaceInfo } from 'node:os'

/** Bridges of containers and virtual machines: no phone is on them. */
const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|wg|zt|tailscale)/i

/** How likely a phone in the house can reach an address; negative: not at all. */
function likelihood(address: string): number {
  if (address.startsWith('192.168.')) return 3
  if (address.startsWith('10.')) return 2
  if (/^172\.(1[6-9]|2\d|3[01])\./.test(address)) return 1
  return address.startsWith('169.254.') ? -1 : 0
}

/** The IPv4 addresses that this machine has in the house, the likeliest first. */
export function houseAddresses(interfaces: Record<string, NetworkInterfaceInfo[] | undefined>): string[] {
  return Object.entries(interfaces)
    .filter(([name]) => !virtual.test(name))
    .flatMap(([, infos]) => infos ?? [])
    .filter(({ family, internal, address }) => family === 'IPv4' && !internal && likelihood(address) >= 0)
    .map(({ address }) => address)
    .toSorted((a, b) => likelihood(b) - likelihood(a))
}
