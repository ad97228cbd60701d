import { type CenterPoster, getCenterPoster } from '@sendlap/contract/center-management/claims.ts';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'wouter';
import { call } from '#web/shared/api/client.ts';
import type { Language } from '#web/shared/i18n/language.ts';
import { LANGUAGES } from '#web/shared/i18n/language.ts';
import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useGoBack } from '#web/shared/navigation/use-go-back.ts';
import { sportCenterPath } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { ErrorState } from '#web/shared/ui/feedback/ErrorState.tsx';
import { Loading } from '#web/shared/ui/feedback/Loading.tsx';
import { Skeleton } from '#web/shared/ui/feedback/Skeleton.tsx';
import { Screen } from '#web/shared/ui/Screen.tsx';
import { drawPoster } from './draw-poster.ts';
import type { Paper } from './poster-layout.ts';
import { posterTexts } from './poster-texts.ts';
import { savePoster } from './save-poster.ts';

function posterQuery(id: string) {
  return queryOptions({
    queryKey: ['claims', id, 'poster'],
    queryFn: ({ signal }) => call(getCenterPoster, { params: { id } }, { signal }),
    refetchOnMount: 'always',
  });
}

/** The poster for a center's entrance, to be saved as a PDF. */
export function PosterPage() {
  const { t } = useTranslation('claims');
  const { id = '' } = useParams<{ id: string }>();
  const goBack = useGoBack(sportCenterPath(id));
  return (
    <Screen title={t('poster.title')} onBack={goBack}>
      <Content key={id} id={id} />
    </Screen>
  );
}

function Content({ id }: { id: string }) {
  const { t } = useTranslation('claims');
  const { data: poster, error, refetch } = useQuery(posterQuery(id));
  if (poster) return <Poster poster={poster} />;
  if (error)
    return (
      <ErrorState
        title={t('poster.failed')}
        error={error}
        onRetry={() => void refetch()}
        offline={{ title: t('poster.offline.title'), text: t('poster.offline.text') }}
      />
    );
  return (
    <Loading>
      <Skeleton className="mx-auto aspect-[210/297] w-full max-w-[560px] rounded-lg" />
    </Loading>
  );
}

function Poster({ poster }: { poster: CenterPoster }) {
  const { t } = useTranslation('claims');
  const canvas = useRef<HTMLCanvasElement>(null);
  const [language, setLanguage] = useState<Language>(useLanguage());
  const [paper, setPaper] = useState<Paper>('a4');
  const has_failed = useDrawing(canvas, poster, language, paper);
  const save = useMutation({
    mutationFn: async () => {
      if (!canvas.current) return;
      const title = poster.center_name;
      await savePoster(canvas.current, { paper, title, language, file_name: t('poster.file') });
    },
    networkMode: 'always',
  });
  return (
    <div className="mx-auto flex w-full max-w-[560px] flex-col gap-4">
      <p className="px-1 text-ink-soft">{t('poster.text')}</p>
      <SegmentedControl label={t('poster.language')} value={language} options={LANGUAGES} onChange={setLanguage} />
      <SegmentedControl
        label={t('poster.paper')}
        value={paper}
        options={[
          { value: 'a4', label: 'A4' },
          { value: 'letter', label: t('poster.letter') },
        ]}
        onChange={setPaper}
      />
      {(has_failed || save.error) && <Problem>{t('poster.drawFailed')}</Problem>}
      <Button icon="download" wide busy={save.isPending} disabled={has_failed} onClick={() => save.mutate()}>
        {t('poster.download')}
      </Button>
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('poster.preview')}
        className="w-full rounded-md bg-white shadow-low"
      />
    </div>
  );
}

/** Draws the poster whenever its content changes. Returns whether that failed. */
function useDrawing(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  { center_name, sports, url, server_name }: CenterPoster,
  language: Language,
  paper: Paper,
): boolean {
  const [has_failed, setFailed] = useState(false);
  useEffect(() => {
    if (!canvas.current) return;
    const { host } = new URL(url);
    const footer = server_name === null ? host : `${server_name} · ${host}`;
    const content = { center_name, ...posterTexts(language, sports), footer, url };
    const changed = new AbortController();
    drawPoster(canvas.current, content, paper, changed.signal).then(
      () => setFailed(false),
      () => setFailed(true),
    );
    return () => changed.abort();
  }, [canvas, center_name, sports, url, server_name, language, paper]);
  return has_failed;
}
