import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { boardRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { BoardRows } from './board-rows.tsx'

test('a switch is not rendered again with its list', async () => {
  const app = await createTestApp({ areas: ['devices', 'switches'] })
  const known = boardRecord()
  app.live.seed([known])
  let reads = 0
  const device = {
    ...known,
    get _id() {
      reads += 1
      return known._id
    }
  }
  const onAddSchedule = () => {}
  function List() {
    const [times, setTimes] = useState(1)
    return (
      <>
        <button onClick={() => setTimes(times + 1)}>{`Shown ${times}`}</button>
        <BoardRows device={device} nameOf={() => 'Lamp'} onAddSchedule={onAddSchedule} />
      </>
    )
  }
  app.show(<List />)
  const before = reads
  expect(before).toBeGreaterThan(0)
  fireEvent.click(screen.getByText('Shown 1'))
  screen.getByText('Shown 2')
  expect(reads).toBe(before)
})
