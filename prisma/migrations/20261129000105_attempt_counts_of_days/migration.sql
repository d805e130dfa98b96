-- AlterEnum
ALTER TYPE "count_width" ADD VALUE IF NOT EXISTS 'day' AFTER 'hour';
