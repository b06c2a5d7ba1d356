import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { lanAddresses } from './lan.ts'

const address = (text: string, internal = false): NetworkInterfaceInfo => ({
  address: text,
  family: 'IPv4',
  internal,
  netmask: '255.255.255.0',
  mac: '00:00:00:00:00:00',
  cidr: null
})

describe('the address in the local network', () => {
  it('is the one that phones are most likely to reach', () => {
    const found = lanAddresses({
      lo: [address('127.0.0.1', true)],
      docker0: [address('172.17.0.1')],
      eth1: [address('10.0.0.7'), address('169.254.3.4')],
      wlan0: [address('192.168.1.20')]
    })
    expect(found).toEqual(['192.168.1.20', '10.0.0.7'])
  })
  it('is a private one before a public one, and never an IPv6 one', () => {
    const six: NetworkInterfaceInfo = { ...address('fd00::7'), family: 'IPv6', scopeid: 0 }
    const found = lanAddresses({
      eth0: [address('203.0.113.10'), address('172.32.0.9'), address('172.20.0.9'), address('210.5.6.10')],
      eth1: [six, address('10.0.0.7')]
    })
    expect(found).toEqual(['10.0.0.7', '172.20.0.9', '203.0.113.10', '172.32.0.9', '210.5.6.10'])
  })
  it('may be missing', () => {
    expect(lanAddresses({ lo: [address('127.0.0.1', true)], eth0: undefined })).toEqual([])
  })
})
