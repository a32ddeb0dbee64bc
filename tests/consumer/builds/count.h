/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef __cplusplus
extern "C" {
#endif
long count_of_pes(void); /* collective */
#ifdef __cplusplus
}
#endif
