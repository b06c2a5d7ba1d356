import type { KeyValueStorage } from '#web/lib/storage.ts'
import { createStore } from '#web/lib/store.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'

export interface ThemeDeps {
  storage: KeyValueStorage
  root: HTMLElement
  prefersDark: MediaQueryList
  /** `<meta name="theme-color">`, which sets the colour of the browser's own bars. */
  themeColor: HTMLMetaElement | null
}

const barColours = { light: '#f8f6f2', dark: '#0e1017' }

/** Follows the system's theme until somebody chooses; the choice is stored under `theme`. See also public/theme.js. */
export function createTheme({ storage, root, prefersDark, themeColor }: ThemeDeps) {
  const choice = createStore<ThemeChoice>(stored())
  function stored(): ThemeChoice {
    const kept = storage.getItem('theme')
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  }
  function show() {
    const chosen = choice.get()
    const theme = chosen === 'system' ? (prefersDark.matches ? 'dark' : 'light') : chosen
    root.dataset['theme'] = theme
    themeColor?.setAttribute('content', barColours[theme])
  }
  prefersDark.addEventListener('change', show)
  show()
  return {
    getState: choice.get,
    subscribe: choice.subscribe,
    choose: (next: ThemeChoice) => {
      if (next === 'system') storage.removeItem('theme')
      else storage.setItem('theme', next)
      choice.set(next)
      show()
    },
    /** Another tab has chosen. */
    adopt: () => {
      choice.set(stored())
      show()
    }
  }
}
export type Theme = ReturnType<typeof createTheme>
