import { act } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { isPillMoved, readPillPlace } from './pill-place.ts'
import { usePillPlace } from './use-pill-place.ts'

const noPill = { current: null }

/** Shows a pill; `drag` moves it and lets it go, with nothing rendered in between. */
async function open() {
  const { show, storage } = await createTestApp()
  let pill: ReturnType<typeof usePillPlace> | undefined
  show(
    <Pill
      onRender={(now) => {
        pill = now
      }}
    />
  )
  const drag = (...places: readonly { x: number; y: number }[]) =>
    act(() => {
      const grabbed = pill
      for (const place of places) grabbed?.move(place)
      grabbed?.settle()
    })
  return { storage, drag }
}

function Pill({ onRender }: { onRender: (pill: ReturnType<typeof usePillPlace>) => void }) {
  onRender(usePillPlace(noPill))
  return null
}

test('the place where a drag ends is remembered, also if its moves are not rendered yet', async () => {
  const { storage, drag } = await open()
  drag({ x: window.innerWidth / 2, y: 0 }, { x: window.innerWidth / 4, y: window.innerHeight / 2 })
  expect(readPillPlace(storage)).toEqual({ x: 0.25, y: 0.5 })
})

test('a press without a move leaves the pill in its own place', async () => {
  const { storage, drag } = await open()
  drag()
  expect(isPillMoved(storage)).toBe(false)
})
