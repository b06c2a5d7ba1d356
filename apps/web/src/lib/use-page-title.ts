import { useEffect } from 'react'
import { useServices } from './services.ts'

/** Sets the tab's title to the screen: "Rooms · Batti". Screen readers announce it when the screen changes. */
export function usePageTitle(title: string): void {
  const { brand } = useServices()
  useEffect(() => {
    document.title = `${title} · ${brand.name}`
    return () => {
      document.title = brand.name
    }
  }, [title, brand])
}
