import { lazy, Suspense, useMemo, type ComponentType } from 'react'
import { matchPath, Navigate, Route, Routes } from 'react-router-dom'
import type { LanguageStore } from '#web/lib/i18n/language-store.ts'
import { useServices } from '#web/lib/services.ts'
import { Guard } from './guard.tsx'
import { loginPath } from './role-home.ts'
import { screens, type Screen } from './screens.ts'
import { Shell } from '#web/app/shell/shell.tsx'
import { ScreenLoading } from '#web/app/shell/screen-loading.tsx'

/** Texts that the first screen of a visit needs: loaded beside the frame's own, not after it. */
export function firstTextsOf(pathname: string): readonly string[] {
  return screens.find((screen) => matchPath(screen.path, pathname) !== null)?.texts ?? []
}

/** The screen's module and its texts, loaded together when it is first shown. */
function lazyScreen(screen: Screen, language: LanguageStore): ComponentType {
  return lazy(async () => {
    const [module] = await Promise.all([screen.load(), language.need(screen.texts)])
    return { default: module.Screen }
  })
}

/** Every screen inside the shell; an unknown path goes to the login (accounts §2). */
export function AppRoutes() {
  const { language } = useServices()
  // Made once: a component made anew at each render would be loaded and mounted anew.
  const lazyScreens = useMemo(
    () => screens.map((screen) => ({ ...screen, Component: lazyScreen(screen, language) })),
    [language]
  )
  return (
    <Routes>
      <Route element={<Shell />}>
        {lazyScreens.map(({ Component, ...screen }) => (
          <Route
            key={screen.path}
            path={screen.path}
            element={
              <Guard screen={screen}>
                <Suspense fallback={<ScreenLoading />}>
                  <Component />
                </Suspense>
              </Guard>
            }
          />
        ))}
        <Route path="*" element={<Navigate to={loginPath} replace />} />
      </Route>
    </Routes>
  )
}
