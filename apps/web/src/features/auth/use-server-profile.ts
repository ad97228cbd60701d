import type { ServerProfile } from '@sendlap/contract/server-profile.ts';
import { useEffect, useState } from 'react';
import { loadServerProfile } from '#web/shared/data/server-profile.ts';

let loading: Promise<ServerProfile> | null = null;

/** Loaded once for all components of the page; null until then, and without an answer. */
export function useServerProfile(): ServerProfile | null {
  const [profile, setProfile] = useState<ServerProfile | null>(null);
  useEffect(() => {
    loading ??= loadServerProfile();
    loading.then(setProfile, () => {
      loading = null;
    });
  }, []);
  return profile;
}
