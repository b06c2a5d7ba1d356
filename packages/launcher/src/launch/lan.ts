import type { NetworkInterfaceInfo } from 'node:os'

/** Interfaces of containers, virtual machines and VPNs, which no phone can reach. */
const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|wg|zt|tailscale)/i

/** Rates how likely a phone in the local network can reach an address; negative: not at all. */
function likelihood(address: string): number {
  if (address.startsWith('192.168.')) return 3
  if (address.startsWith('10.')) return 2
  if (/^172\.(1[6-9]|2\d|3[01])\./.test(address)) return 1
  return address.startsWith('169.254.') ? -1 : 0
}

/** Returns this machine's IPv4 addresses in the local network, the most likely one first. */
export function lanAddresses(interfaces: Record<string, NetworkInterfaceInfo[] | undefined>): string[] {
  return Object.entries(interfaces)
    .filter(([name]) => !virtual.test(name))
    .flatMap(([, infos]) => infos ?? [])
    .filter(({ family, internal, address }) => family === 'IPv4' && !internal && likelihood(address) >= 0)
    .map(({ address }) => address)
    .toSorted((a, b) => likelihood(b) - likelihood(a))
}
