// Sets the theme and the language of the document before the first paint; src/lib/theme and src/lib/i18n own them afterwards.
;(function () {
  const root = document.documentElement
  let theme = null
  let language = null
  try {
    theme = localStorage.getItem('theme')
    language = localStorage.getItem('language')
  } catch {
    // Storage may be forbidden; the system's preference then decides.
  }
  if (theme !== 'light' && theme !== 'dark')
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.dataset.theme = theme
  if (language === 'ne' || language === 'en') root.lang = language
  const brand = document.querySelector('meta[name="batti-brand"]')
  if (brand instanceof HTMLMetaElement) root.dataset.brand = brand.content
})()
