import { notify } from '#web/lib/notify.ts'
import { useServices } from '#web/lib/services.ts'
import type { Language } from './language.ts'
import { useText } from './use-text.ts'

/** Changes the language of everything, or says that its texts could not be fetched. */
export function useChooseLanguage(): (next: Language) => void {
  const t = useText()
  const { language } = useServices()
  return (next) => void language.choose(next).catch(() => notify.error(t('common.failedBody')))
}
