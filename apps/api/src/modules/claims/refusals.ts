import { AppError } from '#api/platform/errors.ts';

export function centerNotFound(): AppError {
  return new AppError('sport_center_not_found', 'No sport center has this id');
}

export function centerClosed(name: string): AppError {
  return new AppError('sport_center_closed', `${name} is closed`);
}

export function wayUnavailable(): AppError {
  return new AppError('claim_way_unavailable', 'Only the operator of this server can decide here');
}

export function claimUnknown(): AppError {
  return new AppError('claim_unknown', 'This is no longer open: it was used, has expired or was replaced');
}
