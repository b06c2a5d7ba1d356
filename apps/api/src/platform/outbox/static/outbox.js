// Copies a code, and polls for new messages while the page is visible.

/** @param {HTMLElement} button @param {string} text */
const announce = (button, text) => {
  const before = button.textContent
  button.textContent = text
  setTimeout(() => {
    button.textContent = before
  }, 1500)
}

/** @param {HTMLElement} button */
const copy = async (button) => {
  try {
    await navigator.clipboard.writeText(button.dataset['copy'] ?? '')
    announce(button, 'Copied')
  } catch {
    // Browsers allow the clipboard only on https and localhost: select the code, so that it can be copied by hand.
    const code = button.parentElement?.querySelector('strong')
    if (code) getSelection()?.selectAllChildren(code)
    announce(button, 'Selected')
  }
}

/** @param {ParentNode} part */
const showLocalTimes = (part) => {
  for (const time of part.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString()
}

const refresh = async () => {
  if (document.hidden || document.activeElement?.id === 'to' || document.querySelector('details[open]')) return
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (answer?.ok !== true) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const [fresh, shown] = [page.querySelector('main'), document.querySelector('main')]
  if (fresh === null || shown === null) return
  const newest = (/** @type {ParentNode} */ part) => part.querySelector('article')?.id
  if (newest(fresh) === newest(shown)) return
  showLocalTimes(fresh)
  shown.replaceChildren(...fresh.childNodes)
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  if (button instanceof HTMLElement) void copy(button)
})
showLocalTimes(document)
setInterval(() => void refresh(), 3000)
