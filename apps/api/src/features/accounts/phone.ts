import { countryCodes, defaultCountryCode, latinDigits } from '@batti/contracts'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

const codes = Object.keys(countryCodes)
const codeOf = (e164: string): string | undefined =>
  codes.find((code) => e164.startsWith(code) && e164.length === code.length + 10)
/** The five countries, and the territories that share their code at the same price. */
const countries = new Set(['NP', 'US', 'CA', 'PR', 'GB', 'GG', 'JE', 'IM', 'IN', 'AU', 'CX', 'CC'])
const costlyTypes = new Set(['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'VOIP', 'PAGER', 'VOICEMAIL', 'PERSONAL_NUMBER'])

/**
 * Returns a number as E.164 (`+9779812345678`). Ten digits alone get `countryCode`; with a country code the plus may be
 * missing. Null unless it is one of the five specified country codes followed by ten digits.
 */
export function toE164(text: string, countryCode: string = defaultCountryCode): string | null {
  const compact = latinDigits(text).replace(/[\s().-]/g, '')
  if (/^\d{10}$/.test(compact)) return codes.includes(countryCode) ? countryCode + compact : null
  const number = compact.startsWith('+') ? compact : `+${compact}`
  return codeOf(number) !== undefined && /^\+\d+$/.test(number) ? number : null
}

/** Returns the specified country code of an E.164 number. */
export const countryCodeOf = (e164: string): string => codeOf(e164) ?? defaultCountryCode

/**
 * Whether a text message may be sent there. Premium ranges, and the Caribbean countries that share +1, earn somebody
 * money for every code.
 */
export function mayReceiveText(e164: string): boolean {
  const number = parsePhoneNumberFromString(e164)
  if (number === undefined) return false
  if (number.country !== undefined && !countries.has(number.country)) return false
  const type = number.getType()
  return type === undefined || !costlyTypes.has(type)
}
