import { generate } from 'selfsigned'
import { takeTask } from '../apart.ts'
import { withDates, type CertificateRequest, type MadeCertificate } from './generate-certificate.ts'

takeTask<CertificateRequest, MadeCertificate>(async (request, notify) => {
  const { attributes, options } = withDates(request)
  const made = await generate(attributes, options)
  notify({ private: made.private, cert: made.cert })
})
