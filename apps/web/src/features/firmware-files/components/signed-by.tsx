import type { FirmwareFileRecord } from '@batti/contracts'
import { ShieldCheck, TriangleAlert } from 'lucide-react'
import { T } from '#web/ui/text.tsx'
import type { Text } from '#web/lib/i18n/use-text.ts'

/** Formats the first four bytes of a key's id for comparison: "5F A0 31 C2". */
const shortKey = (keyId: string): string => (keyId.slice(0, 8).toUpperCase().match(/../g) ?? []).join(' ')

/** Returns the words of `SignedBy`; a signer is also found by the whole id of the key. */
export function signedByWords({ keyId, signed }: Pick<FirmwareFileRecord, 'signed' | 'keyId'>, t: Text): string {
  if (keyId === null) return t('files.notSigned')
  return signed ? `${shortKey(keyId)} · ${keyId}` : t('files.keyWithdrawn')
}

/** Shows which key signed an image, and whether that key is still trusted. */
export function SignedBy({ file }: { file: Pick<FirmwareFileRecord, 'signed' | 'keyId'> }) {
  if (file.keyId === null) {
    return (
      <span className="text-ink-3">
        <T id="files.notSigned" />
      </span>
    )
  }
  if (!file.signed) {
    return (
      <span className="inline-flex items-center gap-1.5 text-warn" title={file.keyId}>
        <TriangleAlert aria-hidden="true" size={14} />
        <T id="files.keyWithdrawn" />
      </span>
    )
  }
  return (
    <span className="inline-flex items-center gap-1.5" title={file.keyId}>
      <ShieldCheck aria-hidden="true" size={14} className="text-ok" />
      <span className="font-mono text-12">{shortKey(file.keyId)}</span>
    </span>
  )
}
