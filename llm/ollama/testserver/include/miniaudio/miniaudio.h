/*
 * A stand-in for the header of the miniaudio library, for building the Ollama
 * server to test against. The server's image helper can read sound files with
 * that library; the tiny models of the tests hear nothing, and Debian has the
 * library only from trixie on. So this declares what the helper names, and its
 * decoder refuses every file, which the helper reports as an unreadable one.
 */
#ifndef STRATA_MINIAUDIO_STUB_H
#define STRATA_MINIAUDIO_STUB_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t ma_uint32;
typedef uint64_t ma_uint64;

typedef enum { MA_SUCCESS = 0, MA_ERROR = -1 } ma_result;
typedef enum { ma_format_unknown = 0, ma_format_f32 = 5 } ma_format;

typedef struct {
	ma_format format;
	ma_uint32 channels;
	ma_uint32 sample_rate;
} ma_decoder_config;

typedef struct {
	ma_decoder_config config;
} ma_decoder;

static inline ma_decoder_config ma_decoder_config_init(ma_format format, ma_uint32 channels, ma_uint32 sample_rate) {
	ma_decoder_config config = {format, channels, sample_rate};
	return config;
}

static inline ma_result ma_decoder_init_memory(const void *data, size_t size, const ma_decoder_config *config, ma_decoder *decoder) {
	(void)data, (void)size, (void)config, (void)decoder;
	return MA_ERROR;
}

static inline ma_result ma_decoder_get_length_in_pcm_frames(ma_decoder *decoder, ma_uint64 *frames) {
	(void)decoder;
	*frames = 0;
	return MA_ERROR;
}

static inline ma_result ma_decoder_read_pcm_frames(ma_decoder *decoder, void *out, ma_uint64 wanted, ma_uint64 *read) {
	(void)decoder, (void)out, (void)wanted;
	*read = 0;
	return MA_ERROR;
}

static inline ma_result ma_decoder_uninit(ma_decoder *decoder) {
	(void)decoder;
	return MA_SUCCESS;
}

#endif
