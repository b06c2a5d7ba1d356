import { countryCodes } from '@batti/contracts'
import { Select, type SelectProps } from '#web/ui/fields/select.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

type CountryCode = keyof typeof countryCodes
const codes = Object.keys(countryCodes).filter((code): code is CountryCode => Object.hasOwn(countryCodes, code))

/** A choice of the supported country codes; the closed box shows only the code. */
export function CountryCodeSelect({ value, onChange }: Pick<SelectProps<CountryCode>, 'value' | 'onChange'>) {
  const t = useText()
  return (
    <Select
      label={t('accounts.countryCode')}
      value={value}
      onChange={onChange}
      choices={codes.map((code) => ({ value: code, label: `${t(`accounts.country.${code}`)} ${code}` }))}
      shown={(choice) => choice.value}
      className="w-28 max-w-full"
    />
  )
}
