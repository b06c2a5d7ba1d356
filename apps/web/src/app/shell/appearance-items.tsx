import { Languages } from 'lucide-react'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { languageNames } from '#web/lib/i18n/language.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { useAppearance } from './use-appearance.ts'

/** Language and theme in the dropdown: each press selects the next one. */
export function AppearanceItems() {
  const t = useText()
  const { choice, ThemeIcon, chooseNext, other, chooseOther } = useAppearance()
  return (
    <>
      <MenuItem icon={<Languages size={18} />} onSelect={chooseOther}>
        <span lang={other}>{languageNames[other]}</span>
      </MenuItem>
      <MenuItem icon={<ThemeIcon size={18} />} keepOpen onSelect={chooseNext}>
        {t('shell.theme')}
        <span className="float-right ml-4 text-14 text-ink-3">{t(`shell.theme.${choice}`)}</span>
      </MenuItem>
    </>
  )
}
