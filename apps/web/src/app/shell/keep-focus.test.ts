import { afterEach, expect, it } from 'vitest'
import { keepFocus } from './keep-focus.ts'

let undo = (): void => undefined
afterEach(() => {
  undo()
  document.body.innerHTML = ''
})

function aList() {
  document.body.innerHTML =
    '<div><header><button>Menu</button></header><main tabindex="-1"><ul><li><button>a</button></li><li><button>b</button></li></ul></main></div>'
  const main = document.querySelector('main')
  const [first, second] = document.querySelectorAll<HTMLElement>('main button')
  if (main === null || first === undefined || second === undefined) throw new Error('no list')
  undo = keepFocus(document, main)
  return { main, first, second }
}

it('moves to the content when the focused row is removed', async () => {
  const { main, first } = aList()
  first.focus()
  first.closest('li')?.remove()
  await expect.poll(() => document.activeElement).toBe(main)
})

it('moves to the content when what was focused before it began is removed', async () => {
  const { main, first } = aList()
  undo()
  first.focus()
  undo = keepFocus(document, main)
  first.closest('li')?.remove()
  await expect.poll(() => document.activeElement).toBe(main)
})

it('moves to the content when a dialog is removed and nothing has restored the focus', async () => {
  const { main, first } = aList()
  const dialog = document.createElement('div')
  dialog.innerHTML = '<button>Delete</button>'
  document.body.append(dialog)
  first.focus()
  dialog.querySelector('button')?.focus()
  first.closest('li')?.remove()
  // The list is updated by the server before the dialog has faded.
  await new Promise((resolve) => setTimeout(resolve))
  // Its container is removed after it.
  dialog.replaceChildren()
  dialog.remove()
  await expect.poll(() => document.activeElement).toBe(main)
})

it('does not move when something opens beside the page after the header lost its button', async () => {
  aList()
  const menu = document.querySelector('button')
  menu?.focus()
  menu?.remove()
  document.body.append(document.createElement('output'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(document.activeElement).toBe(document.body)
})

it('stays when another row is removed, and when the focus was moved elsewhere', async () => {
  const { main, first, second } = aList()
  first.focus()
  second.closest('li')?.remove()
  await Promise.resolve()
  expect(document.activeElement).toBe(first)
  first.blur()
  main.append(document.createElement('p'))
  await Promise.resolve()
  expect(document.activeElement).toBe(document.body)
})
