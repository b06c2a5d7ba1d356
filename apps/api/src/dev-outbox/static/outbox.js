// Copies a code, and looks for new messages while the page is open and seen.
const announce = (button, text) => {
  const before = button.textContent
  button.textContent = text
  setTimeout(() => (button.textContent = before), 1500)
}

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  if (button === null) return
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    announce(button, 'Copied')
  } catch {
    // Browsers allow the clipboard on https and localhost only: select it for a copy by hand.
    const code = button.parentElement.querySelector('strong')
    getSelection().selectAllChildren(code)
    announce(button, 'Selected')
  }
})

for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString()

setInterval(async () => {
  if (document.hidden || document.activeElement?.id === 'to' || document.querySelector('details[open]')) return
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (answer?.ok !== true) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const [fresh, shown] = [page.querySelector('main'), document.querySelector('main')]
  if (
    fresh === null ||
    shown === null ||
    fresh.querySelectorAll('article').length === shown.querySelectorAll('article').length
  )
    return
  for (const time of fresh.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString()
  shown.replaceChildren(...fresh.childNodes)
}, 3000)
