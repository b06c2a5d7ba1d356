// Sets the theme and the language of the document before the first paint; src/lib/theme and src/lib/i18n own them afterwards.
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
  // Fetched once before: it is there at once.
  if (hasFonts) root.dataset.fonts = 'own'
  if (language === 'ne' || language === 'en') root.lang = language
  askForHome()
  const brand = document.querySelector('meta[name="batti-brand"]')
  if (brand instanceof HTMLMetaElement) root.dataset.brand = brand.content

  // Whoever is signed in and opens a page of the home needs these files: asked for now, they come beside the entry.
  function askForHome() {
    let isSignedIn = false
    try {
      isSignedIn = localStorage.getItem('accessToken') !== null
    } catch {
      // As above.
    }
    const told = document.querySelector('meta[name="batti-first-files"]')
    if (!isSignedIn || !location.pathname.startsWith('/user/') || !(told instanceof HTMLMetaElement)) return
    const isNepali = language === '' ? navigator.language.startsWith('ne') : language === 'ne'
    for (const file of `${told.content} ${(isNepali ? told.dataset.ne : told.dataset.en) ?? ''}`.trim().split(' ')) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = file
      link.crossOrigin = ''
      document.head.append(link)
    }
  }
})()
