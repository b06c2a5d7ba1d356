import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ScrollRow } from './scroll-row.tsx'

/** A row of that width and scroll position: jsdom has no layout. */
function showRow(content: number, shown: number) {
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(content)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(shown)
  const scrollBy = vi.fn<(to: ScrollToOptions) => void>()
  HTMLElement.prototype.scrollBy = scrollBy as typeof HTMLElement.prototype.scrollBy
  const { container } = render(
    <ScrollRow aria-label="Rooms">
      <li>Kitchen</li>
    </ScrollRow>
  )
  const row = screen.getByRole('list', { name: 'Rooms' })
  return {
    scrollBy,
    arrow: (side: string) => container.querySelector(`[data-side=${side}]`),
    scrollTo(left: number) {
      row.scrollLeft = left
      fireEvent.scroll(row)
    }
  }
}

test('an arrow is shown where something is outside, and nowhere else', () => {
  const { arrow, scrollTo, scrollBy } = showRow(1500, 1000)
  expect(arrow('before')).toBeNull()
  const after = arrow('after')
  expect(after).not.toBeNull()
  if (after !== null) fireEvent.click(after)
  expect(scrollBy).toHaveBeenCalledWith({ left: 800, behavior: 'smooth' })
  scrollTo(200)
  expect([arrow('before'), arrow('after')]).not.toContain(null)
  scrollTo(500)
  expect(arrow('after')).toBeNull()
  // The keyboard and a screen reader go through the items.
  expect(screen.queryByRole('button')).toBeNull()
})

test('a row that fits has no arrows', () => {
  const { arrow } = showRow(900, 1000)
  expect([arrow('before'), arrow('after')]).toEqual([null, null])
})
