import type { generate as generateHere } from 'selfsigned'
import { runApart } from '../apart.ts'

export interface CertificateRequest {
  attributes: Parameters<typeof generateHere>[0]
  options: NonNullable<Parameters<typeof generateHere>[1]>
}

/** As PEM. */
export interface MadeCertificate {
  private: string
  cert: string
}

/** As selfsigned's, apart from this process. */
export async function generate(
  attributes: CertificateRequest['attributes'],
  options: CertificateRequest['options']
): Promise<MadeCertificate> {
  const made: MadeCertificate[] = []
  const script = new URL('./certificate-apart.ts', import.meta.url)
  await runApart<CertificateRequest, MadeCertificate>(
    script,
    { attributes, options },
    (message) => void made.push(message)
  )
  if (made[0] === undefined) throw new Error('no certificate was made')
  return made[0]
}

/** What was sent, as it was: JSON holds dates as text. */
export function withDates({ attributes, options }: CertificateRequest): CertificateRequest {
  const { notBeforeDate, notAfterDate } = options
  return {
    attributes,
    options: {
      ...options,
      ...(notBeforeDate === undefined ? {} : { notBeforeDate: new Date(notBeforeDate) }),
      ...(notAfterDate === undefined ? {} : { notAfterDate: new Date(notAfterDate) })
    }
  }
}
