import { Clock3, Mail, MapPin, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Brand } from '@batti/contracts/brand'
import { Card } from '#web/ui/card.tsx'
import { useText } from '#web/lib/i18n/use-text.ts'

const linkClass =
  'relative font-medium text-accent underline-offset-4 after:absolute after:-inset-x-2 after:top-1/2 after:h-11 after:-translate-y-1/2 hover:underline'

function Line({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3">
      <span aria-hidden="true" className="row-span-2 grid size-11 place-items-center rounded-full bg-well text-ink-2">
        {icon}
      </span>
      <dt className="text-14 text-ink-3">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** The company's contact details and hours. */
export function ContactCard({ brand }: { brand: Brand }) {
  const t = useText()
  const { email, phone, address } = brand.contact
  return (
    <Card className="p-5 sm:p-6">
      <dl className="grid gap-5">
        <Line icon={<Mail size={20} />} label={t('support.email')}>
          <a href={`mailto:${email}`} className={linkClass}>
            {email}
          </a>
        </Line>
        <Line icon={<Phone size={20} />} label={t('support.phone')}>
          <a href={`tel:${phone.replaceAll(' ', '')}`} className={linkClass}>
            {phone}
          </a>
        </Line>
        <Line icon={<MapPin size={20} />} label={t('support.address')}>
          {address}
        </Line>
        <Line icon={<Clock3 size={20} />} label={t('support.hours')}>
          {t('support.open')}
          <br />
          {t('support.closed')}
        </Line>
      </dl>
      <p className="mt-5 border-t border-line pt-4 text-14 text-ink-2">{t('support.reply')}</p>
    </Card>
  )
}
