import { notify } from '#web/lib/notify.ts'
import { useServices } from '#web/lib/services.ts'
import type { Language } from './language.ts'
import { useText } from './use-text.ts'

/** Changes the language of the app; shows an error if its texts cannot be loaded. */
export function useChooseLanguage(): (next: Language) => void {
  const t = useText()
  const { language } = useServices()
  return (next) => void language.choose(next).catch(() => notify.error(t('common.failedBody')))
}
