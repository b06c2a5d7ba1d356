import { useMemo } from 'react'
import { matchPath, Navigate, Route, Routes } from 'react-router-dom'
import type { LanguageStore } from '#web/lib/i18n/language-store.ts'
import { useServices } from '#web/lib/services.ts'
import { Guard } from './guard.tsx'
import { createLazyScreen, Loaded, type LazyScreen } from './lazy-screen.tsx'
import { loginPath } from './role-home.ts'
import { screens, type Screen } from './screens.ts'
import { Shell } from '#web/app/shell/shell.tsx'

/** Texts that the first screen of a visit needs: loaded beside the frame's own, not after it. */
export function firstTextsOf(pathname: string): readonly string[] {
  return screens.find((screen) => matchPath(screen.path, pathname) !== null)?.texts ?? []
}

/** The screen's module and its texts, loaded together when it is first shown. */
function lazyScreen(screen: Screen, language: LanguageStore): LazyScreen {
  return createLazyScreen(async () => {
    const [module] = await Promise.all([screen.load(), language.need(screen.texts)])
    return { default: module.Screen }
  })
}

/** Every screen inside the shell; an unknown path goes to the login. */
export function AppRoutes() {
  const { language } = useServices()
  // Made once: a component made anew at each render would be loaded and mounted anew.
  const lazyScreens = useMemo(
    () => screens.map((screen) => ({ ...screen, screenOf: lazyScreen(screen, language) })),
    [language]
  )
  return (
    <Routes>
      <Route element={<Shell />}>
        {lazyScreens.map(({ screenOf, ...screen }) => (
          <Route
            key={screen.path}
            path={screen.path}
            element={
              <Guard screen={screen}>
                <Loaded screenOf={screenOf} />
              </Guard>
            }
          />
        ))}
        <Route path="*" element={<Navigate to={loginPath} replace />} />
      </Route>
    </Routes>
  )
}
