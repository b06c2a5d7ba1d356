import { Moon, Sun, SunMoon } from 'lucide-react'
import { useChooseLanguage } from '#web/lib/i18n/use-choose-language.ts'
import { useLanguageState, useServices, useThemeChoice } from '#web/lib/services.ts'

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const
const themeIcon = { system: SunMoon, light: Sun, dark: Moon }

/** Returns the theme and the language that is not chosen; each press selects the next one. */
export function useAppearance() {
  const { theme } = useServices()
  const chooseLanguage = useChooseLanguage()
  const choice = useThemeChoice()
  const { language } = useLanguageState()
  const other = language === 'en' ? 'ne' : 'en'
  return {
    choice,
    ThemeIcon: themeIcon[choice],
    chooseNext: () => theme.choose(nextTheme[choice]),
    other,
    chooseOther: () => chooseLanguage(other)
  } as const
}
