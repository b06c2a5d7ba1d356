import type { generate as generateHere } from 'selfsigned'
import { runInChild } from '../child-task.ts'

export interface CertificateRequest {
  attributes: Parameters<typeof generateHere>[0]
  options: NonNullable<Parameters<typeof generateHere>[1]>
}

/** PEM texts. */
export interface MadeCertificate {
  private: string
  cert: string
}

/** Calls `generate` of selfsigned in a process of its own. */
export async function generate(
  attributes: CertificateRequest['attributes'],
  options: CertificateRequest['options']
): Promise<MadeCertificate> {
  const made: MadeCertificate[] = []
  const script = new URL('./certificate-task.ts', import.meta.url)
  await runInChild<CertificateRequest, MadeCertificate>(
    script,
    { attributes, options },
    (message) => void made.push(message)
  )
  if (made[0] === undefined) throw new Error('no certificate was made')
  return made[0]
}

/** Restores the dates of a request, which JSON holds as text. */
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
