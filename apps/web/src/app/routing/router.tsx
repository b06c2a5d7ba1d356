import { useMemo, type ComponentType } from 'react'
import { matchPath, Navigate, Route, Routes } from 'react-router-dom'
import { useServices, type Services } from '#web/lib/services.ts'
import { Guard } from './guard.tsx'
import { createLazyScreen, Loaded, type LazyScreen } from './lazy-screen.tsx'
import { loginPath } from './role-home.ts'
import { maySee, screens } from './screens.ts'
import type { Screen } from './screen.ts'
import { Shell } from '#web/app/shell/shell.tsx'

const screenAt = (pathname: string): Screen | undefined =>
  screens.find((screen) => matchPath(screen.path, pathname) !== null)

/** The texts of a visit's first screen, loaded in parallel with the frame's own. */
export const firstTextsOf = (pathname: string): readonly string[] => screenAt(pathname)?.texts ?? []

/** What `loadAhead` needs of the services. */
export interface Ahead {
  language: Pick<Services['language'], 'ahead'>
}

/**
 * Preloads a screen and its texts, for example while a password is checked. A failure is ignored: opening the screen
 * loads them again and reports it.
 */
export function loadAhead({ language }: Ahead, pathname: string): void {
  const screen = screenAt(pathname)
  if (screen !== undefined) Promise.all([screen.load(), language.ahead(screen.texts)]).catch(() => undefined)
}

/** Loads a screen's module, starts its queries at once, and returns its component. */
async function loadAndAsk(screen: Screen, services: Services): Promise<ComponentType> {
  const module = await screen.load()
  module.ask?.(services)
  return module.Screen
}

/** The first screen of a visit, loaded before anything is rendered. */
export interface FirstScreen {
  path: string
  Screen: ComponentType
}

/** Resolves with null when this person may not see the page, or its code fails to load; the router then decides. */
export async function loadFirstScreen(services: Services, pathname: string): Promise<FirstScreen | null> {
  const screen = screenAt(pathname)
  const state = services.session.getState()
  const isAllowed =
    screen !== undefined && (screen.roles === 'public' || (state.kind === 'in' && maySee(state.user, screen)))
  if (!isAllowed) return null
  try {
    return { path: screen.path, Screen: await loadAndAsk(screen, services) }
  } catch {
    return null
  }
}

/** Loads the screen's module and its texts in parallel when it is first shown. */
function lazyScreen(screen: Screen, services: Services, first: FirstScreen | null): LazyScreen {
  const there = first?.path === screen.path ? first.Screen : undefined
  return createLazyScreen(async () => {
    const [component] = await Promise.all([loadAndAsk(screen, services), services.language.need(screen.texts)])
    return { default: component }
  }, there)
}

/** Every screen inside the shell; an unknown path leads to the login. */
export function AppRoutes({ first = null }: { first?: FirstScreen | null }) {
  const services = useServices()
  // Created once: a new component at each render would be loaded and mounted again.
  const lazyScreens = useMemo(
    () => screens.map((screen) => ({ ...screen, lazy: lazyScreen(screen, services, first) })),
    [services, first]
  )
  return (
    <Routes>
      <Route element={<Shell />}>
        {lazyScreens.map(({ lazy, ...screen }) => (
          <Route
            key={screen.path}
            path={screen.path}
            element={
              <Guard screen={screen}>
                <Loaded screen={lazy} />
              </Guard>
            }
          />
        ))}
        <Route path="*" element={<Navigate to={loginPath} replace />} />
      </Route>
    </Routes>
  )
}
