import { Languages, Moon, Sun, SunMoon } from 'lucide-react'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { languageNames } from '#web/lib/i18n/language.ts'
import { useChooseLanguage } from '#web/lib/i18n/use-choose-language.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useLanguageState, useServices, useThemeChoice } from '#web/lib/services.ts'

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const
const themeIcon = { system: SunMoon, light: Sun, dark: Moon }

/** Language and theme in the dropdown: each press selects the next one. */
export function AppearanceItems() {
  const t = useText()
  const { theme } = useServices()
  const chooseLanguage = useChooseLanguage()
  const choice = useThemeChoice()
  const { language: current } = useLanguageState()
  const other = current === 'en' ? 'ne' : 'en'
  const Icon = themeIcon[choice]
  return (
    <>
      <MenuItem icon={<Languages size={18} />} onSelect={() => chooseLanguage(other)}>
        <span lang={other}>{languageNames[other]}</span>
      </MenuItem>
      <MenuItem icon={<Icon size={18} />} keepOpen onSelect={() => theme.choose(nextTheme[choice])}>
        {t('shell.theme')}
        <span className="float-right ml-4 text-14 text-ink-3">{t(`shell.theme.${choice}`)}</span>
      </MenuItem>
    </>
  )
}
