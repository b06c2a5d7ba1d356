// Sets the theme and the language of the document before the first paint; src/lib/theme and src/lib/i18n own them
// afterwards. Shows a message when the app itself does not load, as nothing else could, and loads lost styles again.
;(function () {
  const root = document.documentElement
  let theme = null
  let language = ''
  let hasFonts = false
  try {
    theme = localStorage.getItem('theme')
    language = localStorage.getItem('language') ?? ''
    hasFonts = localStorage.getItem('fonts') === 'own'
  } catch {
    // Storage may be forbidden; the system's preference then decides.
  }
  if (theme !== 'light' && theme !== 'dark')
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.dataset.theme = theme
  // The font was fetched on an earlier visit, so the browser has it cached.
  if (hasFonts) root.dataset.fonts = 'own'
  if (language === 'ne' || language === 'en') root.lang = language
  askForHome()
  const brand = document.querySelector('meta[name="batti-brand"]')
  if (brand instanceof HTMLMetaElement) root.dataset.brand = brand.content

  // Scripts wait for the styles before them: those that are not there have failed.
  const styles = document.querySelector('link[rel="stylesheet"]')
  if (styles !== null && getComputedStyle(root).getPropertyValue('--page') === '') loadAgain(styles)

  addEventListener(
    'error',
    ({ target }) => target instanceof HTMLScriptElement && target.type === 'module' && tellLost(),
    true
  )
  // The load may have failed before this script listened.
  addEventListener('load', () => setTimeout(tellLost, 10_000))

  /** @param {Element} link */
  function loadAgain(link) {
    const next = link.cloneNode()
    next.addEventListener('error', () => setTimeout(loadAgain, 3000, next))
    link.replaceWith(next)
  }

  function tellLost() {
    const page = document.querySelector('.lost')?.parentElement
    if (!page) return
    const [title, body, again] =
      root.lang === 'ne'
        ? ['यो खुल्न सकेन', 'सर्भरले जवाफ दिएन। इन्टरनेट जाँचेर फेरि प्रयास गर्नुहोस्।', 'फेरि प्रयास गर्नुहोस्']
        : ['This did not load', 'The server gave no answer. Check your connection and try again.', 'Try again']
    page.innerHTML = `<main role="alert" class="grid min-h-[60dvh] place-content-center justify-items-center gap-2 p-6 text-center">
      <h1 class="text-20 font-semibold">${title}</h1>
      <p class="max-w-md text-ink-2">${body}</p>
      <button type="button" class="mt-4 min-h-11 rounded-control border border-edge/60 px-4 font-semibold">${again}</button>
    </main>`
    page.querySelector('button')?.addEventListener('click', () => location.reload())
  }

  // A signed-in user's home needs these files, and wide screens the side bar: requested here, they load with the entry.
  function askForHome() {
    let isSignedIn = false
    try {
      isSignedIn = localStorage.getItem('accessToken') !== null
    } catch {
      // Storage may be forbidden.
    }
    const told = document.querySelector('meta[name="batti-first-files"]')
    if (!isSignedIn || !location.pathname.startsWith('/user/') || !(told instanceof HTMLMetaElement)) return
    const isNepali = language === '' ? navigator.language.startsWith('ne') : language === 'ne'
    const wide = matchMedia('(width >= 64rem)').matches ? told.dataset.wide : ''
    const texts = isNepali ? told.dataset.ne : told.dataset.en
    for (const file of `${told.content} ${wide} ${texts}`.split(' ').filter(Boolean)) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = file
      link.crossOrigin = ''
      document.head.append(link)
    }
  }
})()
