import { describe, expect, it } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { isNewBoot, judgeStatus } from './presence.ts'

const connected = aLiveDevice({ bootId: 'boot-0002', earlierBoots: ['boot-0001'], conn: 3 })

describe('presence', () => {
  it('begins with a status of the current connection', () => {
    expect(judgeStatus({ ...connected, isOnline: false }, { online: true, bootId: 'boot-0002', conn: 3 })).toBe(
      'online'
    )
  })
  it('ends with the will of the current connection', () => {
    expect(judgeStatus(connected, { online: false, bootId: 'boot-0002', conn: 3 })).toBe('offline')
  })
  it('is not ended by the will of an earlier connection', () => {
    expect(judgeStatus(connected, { online: false, bootId: 'boot-0002', conn: 2 })).toBeNull()
  })
  it('is not ended by the will of an earlier boot', () => {
    expect(judgeStatus(connected, { online: false, bootId: 'boot-0001', conn: 9 })).toBeNull()
  })
  it('ends with the will of a boot that has not reported yet, whose connections count from the beginning', () => {
    expect(judgeStatus(connected, { online: false, bootId: 'boot-0003', conn: 1 })).toBe('offline')
  })
  it('is not reported twice', () => {
    expect(judgeStatus({ ...connected, isOnline: false }, { online: false, bootId: 'boot-0002', conn: 3 })).toBeNull()
    expect(judgeStatus(connected, { online: true, bootId: 'boot-0002', conn: 3 })).toBeNull()
  })
  it('distinguishes an unknown boot from the current one and from those that have ended', () => {
    expect(isNewBoot(connected, { online: true, bootId: 'boot-0002', conn: 4 })).toBe(false)
    expect(isNewBoot(connected, { online: true, bootId: 'boot-0003', conn: 1 })).toBe(true)
    expect(isNewBoot(connected, { online: true, bootId: 'boot-0001', conn: 1 })).toBe(false)
    expect(isNewBoot(connected, { online: false, bootId: 'boot-0003', conn: 1 })).toBe(false)
  })
})
