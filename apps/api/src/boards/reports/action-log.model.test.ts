import { describe, expect, it } from 'vitest'
import type { ChangeCause } from '@batti/contracts'
import { causeOfRow, storedCause } from './action-log.model.ts'

const person: ChangeCause = { by: 'user', userId: 'u1', userName: 'Sita', from: 'web' }
const causes: ChangeCause[] = [
  person,
  { by: 'schedule', from: 'schedule', scheduleId: 's1' },
  { by: 'button', from: 'board' },
  { by: 'api', from: 'api' }
]

describe('the cause of a row', () => {
  it.each(causes)('of $by is stored without what other fields say, and read complete', (cause) => {
    const row = { cause: storedCause(cause), from: cause.from, userName: cause.userName ?? '' }
    expect(Object.keys(row.cause)).not.toContain('from')
    expect(Object.keys(row.cause)).not.toContain('userName')
    expect(causeOfRow(row)).toEqual(cause)
  })

  it('of an earlier version, which stored everything, is read unchanged', () => {
    expect(causeOfRow({ cause: person, from: person.from, userName: 'Sita' })).toEqual(person)
  })

  it('names nobody any more once the row does not', () => {
    expect(causeOfRow({ cause: { by: 'user' }, from: 'web', userName: '' })).toEqual({ by: 'user', from: 'web' })
  })

  it('of a row without one is null', () => {
    expect(causeOfRow({ cause: null, from: 'web', userName: '' })).toBeNull()
  })
})
