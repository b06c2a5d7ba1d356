import { generate } from 'selfsigned'
import { runTask } from '../child-task.ts'
import { withDates, type CertificateRequest, type MadeCertificate } from './generate-certificate.ts'

runTask<CertificateRequest, MadeCertificate>(async (request, notify) => {
  const { attributes, options } = withDates(request)
  const made = await generate(attributes, options)
  notify({ private: made.private, cert: made.cert })
})
